//! The methods that solve games, each with its source, and what certifies their results.

pub(super) mod advice;
pub(super) mod answer;
pub(super) mod backward;
pub(super) mod bellman_step;
pub(super) mod best_response;
pub(super) mod bounds;
pub(super) mod checkpoint;
pub(super) mod correlated;
pub(super) mod enclosed;
pub(super) mod end_components;
pub(super) mod hidden;
pub(super) mod joint_draw;
pub(super) mod learner;
pub(super) mod normal;
pub(super) mod open;
pub(super) mod program;
pub(super) mod realized;
pub(super) mod regret;
pub(super) mod sampling;
pub(super) mod sequence_weights;
pub(super) mod support;
