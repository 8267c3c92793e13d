/** The field that R puts the focus into. */
export const REPLY_FIELD_ID = 'task-reply';
