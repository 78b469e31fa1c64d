@NullMarked
package dev.latchkey.auth.contract;

import org.jspecify.annotations.NullMarked;
