/**
 * What a scenario is, how much effort a pass takes, and the scenarios that are about neither logins nor tokens: downloads, and what is
 * measured by other commands. It uses {@code load} and {@code process} to measure, and {@code report} to tell. Start reading at {@code Scenario}.
 */
package dev.latchkey.benchmarks.load.scenario;
