//! The choice itself. Between projects the one with the least goes first, so that a busy board cannot keep another
//! waiting for ever; within a project priority decides, then age.

use super::market::{Assignment, Candidate, Market, Share, Worker};
use crate::ProjectId;
use std::collections::{BTreeMap, VecDeque};

/// Who takes what now, in the order in which it is to be claimed. Nothing is left over that somebody could take.
pub fn plan(market: &Market) -> Vec<Assignment> {
    let mut workers = market.workers.clone();
    let mut lines = lines(market);
    let mut assignments = Vec::new();
    for _ in 0..market.room {
        let Some(assignment) = next(&mut lines, &mut workers) else { break };
        assignments.push(assignment);
    }
    assignments
}

/// A project's part of the market.
struct Line<'m> {
    share: Share,
    /// How many it was given in this plan: the last word between projects that are equal otherwise.
    given: u32,
    waiting: VecDeque<&'m Candidate>,
}

impl Line<'_> {
    fn has_room(&self) -> bool {
        self.share.has_room()
    }

    /// The lowest is served first. Priorities of different projects are compared last, between projects that are equal
    /// in all else: nobody gets more by calling everything urgent.
    fn claim_to_be_next(&self) -> impl Ord + use<> {
        let served = self.share.served_at.map(|at| at.millis());
        let head = self.waiting.front().map(|head| (head.urgency, head.number));
        (self.share.running, self.given, served, head)
    }
}

fn lines(market: &Market) -> BTreeMap<ProjectId, Line<'_>> {
    let mut lines: BTreeMap<_, _> = market
        .projects
        .iter()
        .map(|(id, share)| (*id, Line { share: *share, given: 0, waiting: VecDeque::new() }))
        .collect();
    for candidate in &market.waiting {
        if let Some(line) = lines.get_mut(&candidate.project) {
            line.waiting.push_back(candidate);
        }
    }
    for line in lines.values_mut() {
        line.waiting.make_contiguous().sort_by_key(|waiting| (waiting.urgency, waiting.number));
    }
    lines
}

fn next(lines: &mut BTreeMap<ProjectId, Line<'_>>, workers: &mut [Worker]) -> Option<Assignment> {
    loop {
        // Agents only get busier from here on, so who cannot be served now cannot be served in this plan at all.
        lines.retain(|_, line| line.has_room() && !line.waiting.is_empty());
        let (_, line) = lines.iter_mut().min_by_key(|(_, line)| line.claim_to_be_next())?;
        while let Some(candidate) = line.waiting.pop_front() {
            if let Some(worker) = best(workers, candidate) {
                worker.running += 1;
                line.share.running += 1;
                line.given += 1;
                return Some(Assignment { task: candidate.task, agent: worker.id });
            }
        }
    }
}

/// Of those it suits the least busy; one that is there for this very role before one that takes everything. Who handed
/// it off gets it back only where nobody else could ever take it (T-20): one that is busy now will be free.
fn best<'w>(workers: &'w mut [Worker], candidate: &Candidate) -> Option<&'w mut Worker> {
    let avoids = |worker: &Worker| candidate.avoid == Some(worker.id);
    let others = workers.iter().any(|worker| worker.suits(candidate) && !avoids(worker));
    workers
        .iter_mut()
        .filter(|worker| worker.has_room() && worker.suits(candidate))
        .filter(|worker| !(others && avoids(worker)))
        .min_by_key(|worker| (worker.roles.is_empty(), worker.running))
}
