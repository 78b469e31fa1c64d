package dev.latchkey.auth.password;

import dev.latchkey.auth.jwt.JwtSigner;
import java.util.Arrays;
import org.springframework.boot.autoconfigure.AutoConfiguration;

/** Breaks rules on purpose: uses a sibling and Spring Boot, and compares in variable time. */
public final class BadPassword {

    final Class<?> sibling = JwtSigner.class;
    final Class<?> boot = AutoConfiguration.class;

    boolean same(byte[] one, byte[] other) {
        return Arrays.equals(one, other);
    }
}
