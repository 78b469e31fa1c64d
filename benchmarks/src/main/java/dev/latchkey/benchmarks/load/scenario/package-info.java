/**
 * Scenarios, the effort of a pass, and the scenarios besides logins and tokens: downloads, and results of other commands. Uses
 * {@code load} and {@code process} for measurements, and {@code report} for results. Start reading at {@code Scenario}.
 */
package dev.latchkey.benchmarks.load.scenario;
