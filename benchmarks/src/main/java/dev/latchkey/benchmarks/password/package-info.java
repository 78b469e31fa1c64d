/** Password hashes: beside the peers, and the times of the answers that must not differ. */
package dev.latchkey.benchmarks.password;
