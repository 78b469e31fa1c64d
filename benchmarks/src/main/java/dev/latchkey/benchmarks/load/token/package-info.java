/**
 * Tokens: behind HTTP, by themselves beside other libraries, and what their check costs a request. A {@code …Scenario} measures, a {@code
 * …Section} tells, and what stands between them is what was measured. Start reading at {@code TokenScenario}.
 */
package dev.latchkey.benchmarks.load.token;
