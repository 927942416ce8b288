//! Do the parts keep their promises together?

mod hostile;
