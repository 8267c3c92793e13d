//! The route for a copy of the embedded database (SPEC S-7).

use std::fs::File;
use std::io::{self, Read};

use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use forge_api::actions;
use forge_domain::Timestamp;
use futures::{Stream, stream};
use http::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE};

use crate::app::AppState;
use crate::convert::time::rfc3339;
use crate::error::api_error::ApiError;
use crate::error::engine_error::internal_error;
use crate::routes::action_route::{ActionRoute, action_routes};

const MEDIA_TYPE: &str = "application/vnd.sqlite3";
const CHUNK: usize = 256 * 1024;

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        BACK_UP_DATABASE => back_up,
    ]
}

/// Download a copy of the database
///
/// Only for admins, and only of the embedded database (SQLite): a consistent copy as of now, while the server works. The
/// server keeps no copy. The copy contains hashes of passwords and tokens, so keep it like one.
#[utoipa::path(
    post, path = actions::BACK_UP_DATABASE.path, tag = "system",
    responses((status = 200, description = "The database file", content_type = MEDIA_TYPE, body = Vec<u8>))
)]
async fn back_up(State(app): State<AppState>) -> Result<Response, ApiError> {
    let copy = app.engine.backups().write_copy().await?;
    let length = copy.metadata().map_err(|error| internal_error(&error.to_string()))?.len();
    let headers = [
        (CONTENT_TYPE, MEDIA_TYPE.to_owned()),
        (CONTENT_LENGTH, length.to_string()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{}\"", file_name(app.engine.now()))),
    ];
    Ok((headers, Body::from_stream(chunks(copy))).into_response())
}

/// The suggested name of the file, such as `forge-20260102T030405Z.db`.
fn file_name(now: Timestamp) -> String {
    let time = rfc3339(now).chars().filter(|c| *c != '-' && *c != ':').take(15).collect::<String>();
    format!("forge-{time}Z.db")
}

/// The content of a file, piece by piece, read off the async threads.
fn chunks(file: File) -> impl Stream<Item = io::Result<Bytes>> {
    stream::try_unfold(file, |mut file| async move {
        let reading = tokio::task::spawn_blocking(move || {
            let mut chunk = Vec::with_capacity(CHUNK);
            file.by_ref().take(CHUNK as u64).read_to_end(&mut chunk)?;
            Ok::<_, io::Error>((chunk, file))
        });
        let (chunk, file) = reading.await.map_err(io::Error::other)??;
        Ok((!chunk.is_empty()).then(|| (Bytes::from(chunk), file)))
    })
}
