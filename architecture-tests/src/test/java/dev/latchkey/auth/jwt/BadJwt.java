package dev.latchkey.auth.jwt;

import dev.latchkey.auth.cache.CachingPasswordEncoder;
import java.time.Instant;
import java.util.Base64;

/** Breaks rules on purpose: uses a sibling, prints, reads the system's time, decodes Base64. */
public final class BadJwt {

    final Class<?> seen = CachingPasswordEncoder.class;
    final Instant time = Instant.now();

    byte[] print(String text) {
        System.out.println("a token");
        return Base64.getUrlDecoder().decode(text);
    }
}
