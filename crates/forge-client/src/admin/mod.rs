//! Client methods for agents, dispatch, the server itself and the demonstration.

mod agent;
mod demo;
mod dispatch;
mod system;
