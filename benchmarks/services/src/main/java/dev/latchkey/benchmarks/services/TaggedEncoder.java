package dev.latchkey.benchmarks.services;

import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.password.PasswordEncoder;

/** Cuts the tag off a stored value, see {@link StoredHashes}, and leaves the rest to the service's encoder. */
final class TaggedEncoder implements PasswordEncoder {

    private final PasswordEncoder encoder;

    TaggedEncoder(PasswordEncoder encoder) {
        this.encoder = encoder;
    }

    @Override
    public @Nullable String encode(@Nullable CharSequence rawPassword) {
        return encoder.encode(rawPassword);
    }

    @Override
    public boolean matches(@Nullable CharSequence rawPassword, @Nullable String stored) {
        int tag = stored == null ? -1 : stored.indexOf('#');
        return encoder.matches(rawPassword, stored == null || tag < 0 ? stored : stored.substring(0, tag));
    }
}
