package dev.latchkey.auth.password;

import dev.latchkey.auth.password.EncoderSettings.Library;
import dev.latchkey.auth.password.EncoderSettings.Preparation;
import dev.latchkey.auth.password.format.DangerousFormat;
import dev.latchkey.auth.password.hash.BouncyCastle;
import dev.latchkey.auth.password.hash.MemoryPermits;
import dev.latchkey.auth.password.hash.Scheme;
import java.security.SecureRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * All encoders as one: writes new hashes with one algorithm, and reads those of every system it knows.
 *
 * <p>What it writes carries an id in braces as Spring's {@code DelegatingPasswordEncoder} writes it, and what that one has written
 * is read here; so are PHC strings, crypt(3) ({@code $2a$ $2b$ $2y$ $5$ $6$ $1$ $apr1$}), LDAP, SCRAM, Django, Werkzeug, passlib, WordPress,
 * Drupal, ASP.NET Core Identity, Keycloak, Firebase and databases; the README has the list.
 * {@link #identify} says what a stored value is; {@link #upgradeEncoding} whether it should be replaced.
 *
 * <p><b>What anybody can send, or a row can hold, is never an exception.</b> A wrong, missing, over-long or malformed password, an
 * unknown user ({@link #matchesNobody}) and a damaged row or one that asks for too much are all answered {@code false}, after the work of a
 * new hash. A row that is cheaper to check, of a weaker format or of costs that were raised since, is refused after the rest of that
 * work; only one that is dearer takes longer, until it is replaced. A password that matches costs no more than its row. The one exception is
 * {@link dev.latchkey.auth.AuthUnavailableException}, when there is no memory for another hash.
 *
 * <p>Immutable, and safe for use by any number of threads.
 */
public final class PasswordEncoders implements PasswordEncoder {

    private static final SecureRandom RANDOM = new SecureRandom();

    private final HashSpec spec;
    private final Scheme scheme;
    private final EncoderSettings settings;
    private final StoredHashes hashes;
    private final EvenCheck check;

    private PasswordEncoders(HashSpec spec, EncoderSettings settings) {
        this.spec = spec;
        this.settings = settings;
        this.scheme = spec.scheme(settings.permits());
        if (scheme.memoryBytes() > settings.permits().totalBytes()) {
            throw new IllegalArgumentException(
                    spec + " takes " + scheme.memoryBytes() / 1024
                            + " KiB for one hash, and there are permits for "
                            + settings.permits().totalBytes() / 1024
                            + " KiB; raise the permits (or -Xmx, of which they are a quarter by default), or choose lower costs");
        }
        this.hashes = new StoredHashes(settings.formats(), settings.pepper(), spec.parameters());
        this.check = new EvenCheck(scheme, hashes, spec.parameters());
    }

    /**
     * Writes argon2id with the costs that OWASP recommends.
     *
     * @throws MissingLibraryException without Bouncy Castle
     */
    public static PasswordEncoders recommended() {
        return writing(HashSpec.of("argon2id"));
    }

    /**
     * Writes as the spec says, and reads everything.
     *
     * @throws MissingLibraryException without Bouncy Castle, since rows of argon2 and scrypt could not be read
     * @throws IllegalArgumentException if one hash takes more memory than a quarter of the heap
     */
    public static PasswordEncoders writing(HashSpec spec) {
        return writing(spec, BouncyCastle.isPresent());
    }

    static PasswordEncoders writing(HashSpec spec, boolean bouncyCastlePresent) {
        if (!bouncyCastlePresent) {
            throw new MissingLibraryException(
                    "Reading and writing argon2 and scrypt",
                    BouncyCastle.ARTIFACT,
                    "call PasswordEncoders.writingWithoutBouncyCastle(spec) to do without both");
        }
        return new PasswordEncoders(spec, EncoderSettings.of(Library.BOUNCY_CASTLE, MemoryPermits.quarterOfHeap()));
    }

    /**
     * Writes as the spec says, and reads everything but argon2 and scrypt, whose rows match no password.
     *
     * @throws MissingLibraryException if the spec is of argon2id or scrypt
     */
    public static PasswordEncoders writingWithoutBouncyCastle(HashSpec spec) {
        if (spec.scheme(MemoryPermits.quarterOfHeap()).memoryBytes() > 0) {
            throw new MissingLibraryException(spec.toString(), BouncyCastle.ARTIFACT, "choose bcrypt or pbkdf2-sha256");
        }
        return new PasswordEncoders(spec, EncoderSettings.of(Library.JDK_ALONE, MemoryPermits.quarterOfHeap()));
    }

    /**
     * What {@link #identify} says of a stored value where new hashes are written so; hashes nothing, and so needs neither a library nor
     * memory.
     */
    public static Function<String, HashInfo> identifier(HashSpec written) {
        return identifyingOnly(written)::identify;
    }

    /**
     * Only for {@link #identify}, which hashes nothing and so needs neither a library nor memory; what a row asks for is held
     * against the ceilings of the formats, and not against the heap of this JVM.
     */
    static PasswordEncoders identifyingOnly(HashSpec written) {
        return new PasswordEncoders(
                written, EncoderSettings.of(Library.BOUNCY_CASTLE, MemoryPermits.ofBytes(Long.MAX_VALUE)));
    }

    /** The same, writing as the spec says; for configuration, {@link HashSpec#of} makes one from its name. */
    public PasswordEncoders withDefault(HashSpec spec) {
        return settings.library() == Library.BOUNCY_CASTLE
                ? new PasswordEncoders(spec, settings)
                : writingWithoutBouncyCastle(spec).with(settings);
    }

    /** The same, with keys that are not in the database. */
    public PasswordEncoders withPepper(Pepper pepper) {
        return with(settings.with(pepper));
    }

    /** The same, taking the memory for argon2 and scrypt from these permits. */
    public PasswordEncoders withMemoryPermits(MemoryPermits permits) {
        return with(settings.with(permits));
    }

    /**
     * The same, hashing passwords of at most so many bytes of UTF-8; 1024 by default.
     *
     * @throws IllegalArgumentException unless 64 to 4096
     */
    public PasswordEncoders withMaxPasswordBytes(int bytes) {
        return with(settings.withMaxPasswordBytes(bytes));
    }

    /** The same, also reading rows of a format that hardly protects a password. */
    public PasswordEncoders readingDangerously(DangerousFormat format) {
        return with(settings.reading(format));
    }

    /**
     * The same, hashing passwords in one normal form of Unicode: all spaces as U+0020, and NFC, as RFC 8265's OpaqueString has it. Without this, a
     * password is the bytes that were sent, and one that is typed on another system may be other bytes: "é" is one code point or two.
     *
     * <p>Nobody is locked out who has set a password before: where the normal form does not match and the password came in another one, it is
     * tried as it came. Such a password costs two checks where it is wrong, whether the user exists or not, and whichever form the stored hash is
     * of; only who knows the password can learn the form of it, from the time of a success. So a sender can double the work of a request, which
     * limits on logins and hashes bear as they bear a second request.
     */
    public PasswordEncoders withUnicodeNormalization() {
        return with(settings.with(Preparation.OPAQUE_STRING));
    }

    private PasswordEncoders with(EncoderSettings settings) {
        return new PasswordEncoders(spec, settings);
    }

    /**
     * A new hash of this password, with its id.
     *
     * @throws IllegalArgumentException if the password is empty, has a lone surrogate or U+0000, or is longer than
     *     {@link #maxPasswordBytes}; the message names the rule, and not the password
     * @throws dev.latchkey.auth.AuthUnavailableException if there is no memory for another hash
     */
    @Override
    public String encode(@Nullable CharSequence rawPassword) {
        try (PresentedPassword password = presented(rawPassword)) {
            byte[] salt = new byte[Scheme.SALT_BYTES];
            RANDOM.nextBytes(salt);
            return hashes.prefix() + "{" + scheme.springId() + "}"
                    + scheme.hash(hashes.peppered(password.requireAcceptable()), salt);
        }
    }

    /** The password that {@link #encode} would hash; a caller closes it. */
    PresentedPassword presented(@Nullable CharSequence rawPassword) {
        return PresentedPassword.of(settings.prepared(rawPassword), maxPasswordBytes());
    }

    /**
     * Whether the stored hash is of this password.
     *
     * @return {@code false} for whatever is not: see the type's description
     * @throws dev.latchkey.auth.AuthUnavailableException if there is no memory for another hash
     */
    @Override
    public boolean matches(@Nullable CharSequence rawPassword, @Nullable String encodedPassword) {
        CharSequence prepared = settings.prepared(rawPassword);
        return matchesAsItIs(prepared, encodedPassword)
                || (differ(prepared, rawPassword) && matchesAsItIs(rawPassword, encodedPassword));
    }

    private static boolean differ(@Nullable CharSequence one, @Nullable CharSequence other) {
        return one != null && other != null && CharSequence.compare(one, other) != 0;
    }

    private boolean matchesAsItIs(@Nullable CharSequence text, @Nullable String encodedPassword) {
        try (PresentedPassword password = PresentedPassword.of(text, settings.maxPasswordBytes())) {
            return check.matches(password, encodedPassword);
        }
    }

    /**
     * For a user who does not exist: {@code false}, after the work that a wrong password takes.
     *
     * @throws dev.latchkey.auth.AuthUnavailableException if there is no memory for another hash
     */
    public boolean matchesNobody(@Nullable CharSequence rawPassword) {
        return matches(rawPassword, null);
    }

    /** Whether a hash that has just matched is weaker than a new one, or written otherwise, and should be replaced. */
    @Override
    public boolean upgradeEncoding(@Nullable String encodedPassword) {
        return identify(encodedPassword).shouldUpgrade();
    }

    /** What a stored value is; does no work in proportion to what it asks for. */
    public HashInfo identify(@Nullable String encodedPassword) {
        return encodedPassword == null ? HashInfo.UNRECOGNISED : hashes.identify(encodedPassword);
    }

    /** The longest password that {@link #encode} takes, in bytes of UTF-8: bcrypt without a pepper takes 72. */
    public int maxPasswordBytes() {
        return settings.pepper() == null
                ? Math.min(settings.maxPasswordBytes(), scheme.maxPasswordBytes())
                : settings.maxPasswordBytes();
    }

    /** How new hashes are made. */
    public HashSpec spec() {
        return spec;
    }

    @Override
    public String toString() {
        return "PasswordEncoders[writing " + spec + (settings.pepper() == null ? "" : ", " + settings.pepper()) + "]";
    }
}
