//! Do the parts keep their promises together? All integration tests, in one binary.

mod agents;
mod analysis;
mod bounds;
mod closed_form;
mod commands;
mod fixtures;
mod golden;
mod graph;
mod greedy;
mod handbook;
mod hidden;
mod hostile;
mod house;
mod imports;
mod methods;
mod moves;
mod odds;
mod open_games;
mod prompt;
mod properties;
mod structure;
mod support;
mod tournament;
mod twice;
mod under_way;
mod views;
