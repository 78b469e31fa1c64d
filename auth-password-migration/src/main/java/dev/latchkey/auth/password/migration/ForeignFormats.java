package dev.latchkey.auth.password.migration;

import dev.latchkey.auth.password.hash.FurtherFormats;
import dev.latchkey.auth.password.hash.HashFormat;
import dev.latchkey.auth.password.hash.MemoryPermits;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The hash formats of other systems, for encoders that are to read them:
 *
 * <pre>{@code
 * PasswordEncoders.recommended().reading(ForeignFormats.all())
 * }</pre>
 *
 * <p>These are crypt(3), LDAP, SCRAM, Django, Werkzeug, passlib, WordPress, Drupal, ASP.NET Core Identity, Keycloak, Firebase and databases, and
 * what Spring's older encoders wrote; the README has the list. Immutable, and safe for use by any number of threads.
 */
public final class ForeignFormats implements FurtherFormats {

    private final Set<DangerousFormat> dangerous;

    private ForeignFormats(Set<DangerousFormat> dangerous) {
        this.dangerous = dangerous;
    }

    /**
     * All formats but the dangerous ones. A row of a dangerous format is named, and matches no password.
     *
     * @return for {@link dev.latchkey.auth.password.PasswordEncoders#reading}
     */
    public static ForeignFormats all() {
        return new ForeignFormats(Set.of());
    }

    /**
     * The same, also reading rows of a format that hardly protects a password.
     *
     * @param format to be read besides
     * @return a changed copy
     */
    public ForeignFormats readingDangerously(DangerousFormat format) {
        EnumSet<DangerousFormat> more = EnumSet.of(format);
        more.addAll(dangerous);
        return new ForeignFormats(Set.copyOf(more));
    }

    @Override
    public HashFormat besides(HashFormat own, @Nullable MemoryPermits permits) {
        return new ForeignHashes(own, permits, dangerous);
    }
}
