//! `forge task comment`

use clap::Args;
use forge_api::{NewComment, PageQuery};
use forge_client::collect;

use super::target::Target;
use crate::context::Context;
use crate::failure::Failure;
use crate::paint::Ink;
use crate::table::{one_line, plain_text};
use crate::text_source;
use crate::words::{actor, time};

/// Write a comment on a task, or read its comments
#[derive(Debug, Args)]
pub(crate) struct Comment {
    #[command(flatten)]
    target: Target,
    /// The comment: text, @FILE, or - for standard input; without it, all comments are shown
    text: Option<String>,
}

impl Comment {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let Some(text) = &self.text else {
            let task = self.target.fetch_id(&client).await?;
            let list = async |page: PageQuery| client.fetch_comments(task, &page).await;
            let page = collect(1000, list).await?;
            return context.output.result(&page, || {
                page.items.iter().map(|comment| described(context, comment)).collect()
            });
        };
        let request = NewComment { body: text_source::read(text)?, parent_id: None };
        let task = self.target.fetch_id(&client).await?;
        let comment = client.create_comment(task, &request).await?;
        context.output.result(&comment, || "Comment written".to_owned())
    }
}

fn described(context: &Context, comment: &forge_api::Comment) -> String {
    let who = context.output.ink(Ink::Strong, &one_line(&actor(&comment.author)));
    format!("{who}, {}\n{}\n\n", time(&comment.at), plain_text(&comment.body))
}
