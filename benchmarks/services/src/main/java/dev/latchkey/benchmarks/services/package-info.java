/**
 * A small service for all roles of the scenarios; the properties under {@code subject.*} choose the role. The harness starts a
 * process with or without the starter on its class path.
 */
@NullMarked
package dev.latchkey.benchmarks.services;

import org.jspecify.annotations.NullMarked;
