/** The report: figures, goals, tables and charts as values, kept as JSON and shown as a single page without network. */
package dev.latchkey.benchmarks.report;
