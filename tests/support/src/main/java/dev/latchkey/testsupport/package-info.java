/**
 * Nodes on a failing store, with their acknowledgements: for tests of shared stores. Begin with {@link
 * dev.latchkey.testsupport.Acknowledgements}.
 */
@NullMarked
package dev.latchkey.testsupport;

import org.jspecify.annotations.NullMarked;
