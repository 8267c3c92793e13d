//! The settings of a project: what they are, how they are stored, and what is wrong with them.
//!
//! `ProjectSettings` is the one type for them. A row holds them as `StoredSettings`, parsed when the row is loaded: a stored value
//! that this version cannot read makes only its own setting unusable, with an error that names it. Settings that are saved
//! are checked as a whole, and all problems are named together.

mod branch_template_setting;
mod dispatch_settings;
mod landing_settings;
mod project_settings;
mod project_setup;
mod settings_problem;
mod stored_settings;

pub use crate::project::branch_template_setting::{BranchTemplateSetting, BranchTemplatesByKind};
pub use crate::project::dispatch_settings::ProjectDispatchSettings;
pub use crate::project::landing_settings::{LandingMode, LandingSettings, LandingVerification};
pub use crate::project::project_settings::ProjectSettings;
pub use crate::project::project_setup::ProjectSetup;
pub use crate::project::settings_problem::{InvalidSettingsError, SettingsProblem};
pub use crate::project::stored_settings::StoredSettings;
