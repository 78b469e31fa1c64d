/** The arrows of the design and the manners of the code, as rules; each rule has a class with the defect. */
@NullMarked
package dev.latchkey.architecture;

import org.jspecify.annotations.NullMarked;
