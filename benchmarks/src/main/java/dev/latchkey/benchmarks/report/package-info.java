/** The report: figures, goals, tables and charts as values, kept as JSON and shown as one page that needs no network. */
package dev.latchkey.benchmarks.report;
