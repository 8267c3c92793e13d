//! Accounts: members of projects (S-6). Adding or removing a member and its event are one transaction, under the project's lock, so a crash leaves
//! either both or none.

mod member;
