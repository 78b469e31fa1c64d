@NullMarked
package dev.latchkey.auth.spring.servlet;

import org.jspecify.annotations.NullMarked;
