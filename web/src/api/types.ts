// The wire types by their short names. The generated schema decides; nothing is written twice.
import type { components } from './schema';

type Schemas = components['schemas'];

export type Action = Schemas['Action'];
export type ActionParameter = Schemas['ActionParameter'];
export type Actor = Schemas['Actor'];
export type Agent = Schemas['Agent'];
export type Assignee = Schemas['Assignee'];
export type Comment = Schemas['Comment'];
export type CreatedToken = Schemas['CreatedToken'];
export type Dependency = Schemas['Dependency'];
export type Diff = Schemas['Diff'];
export type DiffFile = Schemas['DiffFile'];
export type DiffNews = Schemas['DiffNews'];
export type DiffScope = Schemas['DiffScope'];
export type DiffSource = Schemas['DiffSource'];
export type ErrorBody = Schemas['ErrorBody'];
export type Event = Schemas['Event'];
export type EventType = Schemas['EventType'];
export type Execution = Schemas['Execution'];
export type LogPage = Schemas['LogPage'];
export type Me = Schemas['Me'];
export type NewAgent = Schemas['NewAgent'];
export type NewTask = Schemas['NewTask'];
export type NewToken = Schemas['NewToken'];
export type Phase = Schemas['Phase'];
export type Project = Schemas['Project'];
export type Repo = Schemas['Repo'];
export type Review = Schemas['Review'];
export type StateView = Schemas['StateView'];
export type Step = Schemas['Step'];
export type Task = Schemas['Task'];
export type Token = Schemas['Token'];
export type Transition = Schemas['Transition'];
export type UseLink = Schemas['UseLink'];
export type WorkflowView = Schemas['WorkflowView'];
export type Workspace = Schemas['Workspace'];
