/** The arrows of the design and the manners of the code, as rules; and for each rule a class that breaks it. */
@NullMarked
package dev.latchkey.architecture;

import org.jspecify.annotations.NullMarked;
