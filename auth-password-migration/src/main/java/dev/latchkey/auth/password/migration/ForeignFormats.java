package dev.latchkey.auth.password.migration;

import dev.latchkey.auth.password.hash.FurtherFormats;
import dev.latchkey.auth.password.hash.HashFormat;
import dev.latchkey.auth.password.hash.MemoryPermits;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The hash formats of other systems, for encoders:
 *
 * <pre>{@code
 * PasswordEncoders.recommended().reading(ForeignFormats.all())
 * }</pre>
 *
 * <p>The formats cover crypt(3), LDAP, SCRAM, Django, Werkzeug, passlib, WordPress, Drupal, ASP.NET Core Identity,
 * Keycloak, Firebase, databases and Spring's older encoders. The README has the list. Immutable, and safe for use by
 * any number of threads.
 */
public final class ForeignFormats implements FurtherFormats {

    private final Set<DangerousFormat> dangerous;

    private ForeignFormats(Set<DangerousFormat> dangerous) {
        this.dangerous = dangerous;
    }

    /**
     * All formats except the dangerous ones. A row of a dangerous format is named, and matches no password.
     *
     * @return for {@link dev.latchkey.auth.password.PasswordEncoders#reading}
     */
    public static ForeignFormats all() {
        return new ForeignFormats(Set.of());
    }

    /**
     * Returns a copy that also reads a format with almost no protection.
     *
     * @param format the additional format
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
