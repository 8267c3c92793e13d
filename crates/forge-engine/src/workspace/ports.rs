//! Ports of a task (W-13): from the node's range, each leased to one task, and free when leased.

use crate::effects::{EffectContext, EffectError};
use crate::workspace::setup_effect::WorkspaceSetup;
use forge_domain::task::AnnotationType;
use forge_store::tables::ports::{self, PortLease};
use std::collections::HashSet;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};

impl WorkspaceSetup {
    /// Ensures that the task holds as many ports as its project requests. It keeps those that it already has.
    pub(crate) async fn lease_ports(
        &self,
        effect: &EffectContext,
        wanted: u32,
    ) -> Result<(), EffectError> {
        let (db, task, now) = (&self.db, effect.workspace_owner, self.clock.now());
        let range = self.ports.clone();
        let mut refused: HashSet<u16> = HashSet::new();
        loop {
            let held = db
                .write(move |tx| {
                    Box::pin(async move {
                        ports::release(tx, task, wanted).await?;
                        ports::of_task_in(tx, task).await
                    })
                })
                .await?;
            let missing: Vec<u32> =
                (0..wanted).filter(|slot| held.iter().all(|lease| lease.slot != *slot)).collect();
            if missing.is_empty() {
                return Ok(());
            }
            refused.extend(ports::all(db).await?);
            let candidates = range.clone().filter(|port| !refused.contains(port) && is_free(*port));
            let offers: Vec<PortLease> = missing
                .iter()
                .zip(candidates)
                .map(|(slot, port)| PortLease { slot: *slot, port })
                .collect();
            if offers.len() < missing.len() {
                let (first, last) = (range.start(), range.end());
                return Err(EffectError::for_person(
                    AnnotationType::SetupFailed,
                    format!(
                        "no port between {first} and {last} is free; finish other tasks, or widen FORGE_PORT_RANGE"
                    ),
                ));
            }
            // Another task may take a port first; the loop searches again for the missing ones.
            refused.extend(offers.iter().map(|lease| lease.port));
            db.write(move |tx| {
                let offers = offers.clone();
                Box::pin(async move {
                    for lease in offers {
                        ports::take(tx, task, lease, now).await?;
                    }
                    Ok::<_, forge_store::StoreError>(())
                })
            })
            .await?;
        }
    }
}

/// Whether no process listens on the port on any address of this machine.
fn is_free(port: u16) -> bool {
    let taken = |address: SocketAddr| {
        TcpListener::bind(address).is_err_and(|error| error.kind() == ErrorKind::AddrInUse)
    };
    // A machine without one address family has no listener in it.
    !taken((Ipv4Addr::UNSPECIFIED, port).into()) && !taken((Ipv6Addr::UNSPECIFIED, port).into())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)]
    use super::*;

    #[test]
    fn w_13_a_port_in_use_is_distinguished_from_a_free_one() {
        for address in ["127.0.0.1:0", "0.0.0.0:0"] {
            let listener = TcpListener::bind(address).expect("a port");
            let port = listener.local_addr().expect("an address").port();
            assert!(!is_free(port), "{address}");
        }
    }
}
