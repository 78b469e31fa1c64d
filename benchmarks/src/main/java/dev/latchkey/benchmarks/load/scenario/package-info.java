/**
 * One class per scenario, each of which gives a section of the report; where the text is long it stands in a class of its own
 * ({@code FloodSection}). It uses {@code load} and {@code process} to measure, and {@code report} to tell. Start reading at {@code Main},
 * then {@code BasicScenario}.
 */
package dev.latchkey.benchmarks.load.scenario;
