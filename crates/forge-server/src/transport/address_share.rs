//! Limit of connections per address.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};

/// Counts the open connections of each address.
#[derive(Debug)]
pub(crate) struct AddressShares {
    most: usize,
    held: Mutex<HashMap<IpAddr, usize>>,
}

/// One connection of an address, until it is dropped.
#[derive(Debug)]
pub(crate) struct AddressShare {
    shares: Arc<AddressShares>,
    network: IpAddr,
}

impl AddressShares {
    pub(crate) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most: most.max(1), held: Mutex::default() })
    }

    /// Counts one more connection for this address; `None` if it has reached its share.
    pub(crate) fn acquire_share(self: &Arc<Self>, address: IpAddr) -> Option<AddressShare> {
        let network = network_of(address);
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let count = held.entry(network).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(AddressShare { shares: Arc::clone(self), network })
    }
}

impl Drop for AddressShare {
    fn drop(&mut self) {
        let mut held = self.shares.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = held.get_mut(&self.network) {
            *count -= 1;
            if *count == 0 {
                held.remove(&self.network);
            }
        }
    }
}

/// Groups IPv6 addresses by their /64 network: one host can use any number of addresses in it.
fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let mask = Ipv6Addr::from_bits(u128::MAX << 64);
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & mask.to_bits()))
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)]
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn issue_13_21_an_address_gets_its_share_and_no_more() {
        let shares = AddressShares::new(2);
        let first = shares.acquire_share(address("192.0.2.1")).expect("the first");
        let _second = shares.acquire_share(address("::ffff:192.0.2.1")).expect("the second");
        assert!(shares.acquire_share(address("192.0.2.1")).is_none());
        assert!(
            shares.acquire_share(address("192.0.2.2")).is_some(),
            "another address has its own share"
        );
        drop(first);
        assert!(shares.acquire_share(address("192.0.2.1")).is_some());
        let _six = [
            shares.acquire_share(address("2001:db8::1")),
            shares.acquire_share(address("2001:db8::2")),
        ];
        assert!(
            shares.acquire_share(address("2001:db8::ffff")).is_none(),
            "one network is one address"
        );
        assert!(shares.acquire_share(address("2001:db8:0:1::1")).is_some());
    }
}
