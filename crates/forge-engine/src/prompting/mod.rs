//! What agents are told (E-2): the project's templates, and what there is to say.

mod preview;
mod settings;

pub use preview::PromptPreview;
pub(crate) use settings::PromptSettings;
