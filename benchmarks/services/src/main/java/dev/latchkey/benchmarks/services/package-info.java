/**
 * One small service that plays all the services of the scenarios; properties under {@code subject.*} say which. It is started
 * as a process, with and without the starter on its class path.
 */
@NullMarked
package dev.latchkey.benchmarks.services;

import org.jspecify.annotations.NullMarked;
