//! The actions picked so far in the open step or joint decision.

use super::Play;
use crate::game::{Action, Actor, Value};

impl Play {
    /// What the player who is asked has picked so far of the same question in this step, and what players
    /// of the same seat have picked of the joint decision that waits for this answer.
    pub(crate) fn picked_so_far(&self) -> Vec<Action> {
        let Some(asked) = self.asked() else { return Vec::new() };
        let history = self.history();
        let of_step = history.entries.iter().skip(self.step_began).flat_map(|one| one.actions());
        let is_same = |action: &&Action| {
            action.name == asked.name && action.actor == Actor::Player(asked.who.clone())
        };
        let mut picked: Vec<Action> = of_step.filter(is_same).cloned().collect();
        let seat = self.seat_of(&asked.who);
        let together = self.given.iter().filter(|((player, name), _)| {
            *name == asked.name && *player != asked.who && self.seat_of(player) == seat
        });
        let action = |((player, name), picked): (&(String, String), &super::people::Picked)| {
            let (actor, value): (Actor, Value) =
                (Actor::Player(player.clone()), picked.value.clone());
            Action { actor, name: name.clone(), value }
        };
        picked.extend(together.map(action));
        picked
    }
}
