package dev.latchkey.auth.password;

import dev.latchkey.auth.password.EncoderSettings.Library;
import dev.latchkey.auth.password.EncoderSettings.Preparation;
import dev.latchkey.auth.password.hash.BouncyCastle;
import dev.latchkey.auth.password.hash.FurtherFormats;
import dev.latchkey.auth.password.hash.HashFormat;
import dev.latchkey.auth.password.hash.MemoryPermits;
import dev.latchkey.auth.password.hash.Scheme;
import java.security.SecureRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * All encoders as one: writes new hashes with one algorithm, and reads those of bcrypt, argon2, scrypt and PBKDF2.
 *
 * <p>What it writes carries an id in braces as Spring's {@code DelegatingPasswordEncoder} writes it, and what that one writes with these algorithms is
 * read here. So are PHC strings and bcrypt's {@code $2a$ $2b$ $2y$}. The module {@code auth-password-migration} has the formats of other systems, for
 * {@link #reading}. {@link #identify} says what a stored value is, and {@link #upgradeEncoding} whether it should be replaced.
 *
 * <p><b>Nothing that anybody can send, or that a row can hold, is an exception.</b> All of these are answered {@code false}, after the work of a new
 * hash: a wrong, missing, over-long or malformed password, an unknown user ({@link #matchesNobody}), a row that is damaged or asks for too much.
 * Where a row is cheaper to check, being of a weaker format or of costs that were raised since, a refusal does the rest of that work too. Only a row
 * that is dearer takes longer, until it is replaced. A password that matches costs no more than its row. The one exception is {@link
 * dev.latchkey.auth.AuthUnavailableException}, when there is no memory for another hash.
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
     * Writes argon2id with the costs that OWASP recommends, and reads all four algorithms.
     *
     * @return with memory for hashes of a quarter of the heap
     * @throws MissingLibraryException without Bouncy Castle
     * @throws IllegalArgumentException if one hash takes more memory than a quarter of the heap
     */
    public static PasswordEncoders recommended() {
        return writing(HashSpec.of("argon2id"));
    }

    /**
     * Writes as the spec says, and reads all four algorithms.
     *
     * @param spec how new passwords are hashed
     * @return with memory for hashes of a quarter of the heap
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
     * Writes as the spec says, and reads all but argon2 and scrypt, whose rows match no password.
     *
     * @param spec how new passwords are hashed: by bcrypt or PBKDF2
     * @return needs no library
     * @throws MissingLibraryException if the spec is of argon2id or scrypt
     */
    public static PasswordEncoders writingWithoutBouncyCastle(HashSpec spec) {
        if (spec.scheme(MemoryPermits.quarterOfHeap()).memoryBytes() > 0) {
            throw new MissingLibraryException(spec.toString(), BouncyCastle.ARTIFACT, "choose bcrypt or pbkdf2-sha256");
        }
        return new PasswordEncoders(spec, EncoderSettings.of(Library.JDK_ALONE, MemoryPermits.quarterOfHeap()));
    }

    /**
     * Says what stored values are where new hashes are written so. It hashes nothing, and so needs neither a library nor memory.
     *
     * @param written how new passwords are hashed
     * @param formats that are read besides
     * @return answers as {@link #identify} does; safe for use by any number of threads
     */
    public static Function<String, HashInfo> identifier(HashSpec written, FurtherFormats formats) {
        return identifyingOnly(written).reading(formats)::identify;
    }

    /**
     * Encoders for {@link #identify} alone, which hashes nothing and so needs neither a library nor memory. What a row asks for is compared with the
     * ceilings of the formats, and not with the heap of this JVM.
     */
    static PasswordEncoders identifyingOnly(HashSpec written) {
        return new PasswordEncoders(
                written, EncoderSettings.of(Library.BOUNCY_CASTLE, MemoryPermits.ofBytes(Long.MAX_VALUE)));
    }

    /**
     * The same, writing as the spec says. {@link HashSpec#of} makes a spec from its name, for configuration.
     *
     * @param spec how new passwords are hashed
     * @return a changed copy
     * @throws MissingLibraryException if these do without Bouncy Castle and the spec is of argon2id or scrypt
     * @throws IllegalArgumentException if one hash takes more memory than there are permits for
     */
    public PasswordEncoders withDefault(HashSpec spec) {
        return settings.library() == Library.BOUNCY_CASTLE
                ? new PasswordEncoders(spec, settings)
                : writingWithoutBouncyCastle(spec).with(settings);
    }

    /**
     * The same, with keys that are not in the database. Rows without a pepper still match, and are reported for an upgrade.
     *
     * @param pepper the keys
     * @return a changed copy
     */
    public PasswordEncoders withPepper(Pepper pepper) {
        return with(settings.with(pepper));
    }

    /**
     * The same, taking the memory for argon2 and scrypt from these permits.
     *
     * @param permits shared by all encoders that share the heap
     * @return a changed copy
     * @throws IllegalArgumentException if one new hash takes more memory than there are permits for
     */
    public PasswordEncoders withMemoryPermits(MemoryPermits permits) {
        return with(settings.with(permits));
    }

    /**
     * The same, with another bound on passwords. A longer one is refused by {@link #encode} and matches nothing.
     *
     * @param bytes of UTF-8, 64 to 4096; 1024 by default
     * @return a changed copy
     * @throws IllegalArgumentException if that is fewer or more
     */
    public PasswordEncoders withMaxPasswordBytes(int bytes) {
        return with(settings.withMaxPasswordBytes(bytes));
    }

    /**
     * The same, also reading rows of these formats, in place of the ones before. Nothing is written in them.
     *
     * @param formats such as {@code ForeignFormats.all()} of {@code auth-password-migration}
     * @return a changed copy
     */
    public PasswordEncoders reading(FurtherFormats formats) {
        return with(settings.reading(formats));
    }

    /**
     * The same, hashing passwords in one normal form of Unicode: all spaces as U+0020, and NFC, as RFC 8265's OpaqueString has it. Without this, a
     * password is the bytes that were sent, and one that is typed on another system may be other bytes: "é" is one code point or two.
     *
     * <p>Nobody who has set a password before is locked out: where the normal form does not match and the password came in another one, it is tried
     * as it came. Such a password costs two checks where it is wrong, whether the user exists or not, and whichever form the stored hash is of. From
     * the time of a success one can learn the form, but only by knowing the password. So a sender can double the work of a request; limits on logins
     * and hashes bear that as they bear a second request.
     *
     * @return a changed copy
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
     * @param rawPassword as somebody chose it; it is not kept
     * @return at most 200 characters of ASCII, other ones each time
     * @throws IllegalArgumentException if the password is empty, has a lone surrogate or U+0000, or is longer than {@link #maxPasswordBytes}; the
     *     message names the rule, and not the password
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

    /** All that is read. */
    HashFormat formats() {
        return settings.formats();
    }

    /** The password that {@link #encode} would hash; to be closed by the caller. */
    PresentedPassword presented(@Nullable CharSequence rawPassword) {
        return PresentedPassword.of(settings.prepared(rawPassword), maxPasswordBytes());
    }

    /**
     * Whether the stored hash is of this password.
     *
     * @param rawPassword as somebody sent it; it is not kept
     * @param encodedPassword as it is stored, whatever that is; null where there is no row
     * @return false for whatever does not match: see the type's description
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
     * For a user who does not exist: takes the work that a wrong password takes.
     *
     * @param rawPassword as somebody sent it
     * @return false
     * @throws dev.latchkey.auth.AuthUnavailableException if there is no memory for another hash
     */
    public boolean matchesNobody(@Nullable CharSequence rawPassword) {
        return matches(rawPassword, null);
    }

    /**
     * Whether a hash that has just matched is weaker than a new one, or written otherwise, and should be replaced.
     *
     * @param encodedPassword as it is stored
     * @return false also for what matches no password: it cannot be replaced without one
     */
    @Override
    public boolean upgradeEncoding(@Nullable String encodedPassword) {
        return identify(encodedPassword).shouldUpgrade();
    }

    /**
     * What a stored value is. Hashes nothing, whatever costs the value asks for.
     *
     * @param encodedPassword as it is stored
     * @return {@link HashInfo.Standing#UNKNOWN} for null and for texts of no format
     */
    public HashInfo identify(@Nullable String encodedPassword) {
        HashInfo info = encodedPassword == null ? HashInfo.UNRECOGNISED : hashes.identify(encodedPassword);
        return info.equals(HashInfo.UNRECOGNISED) && settings.further() == null ? HashInfo.UNREAD : info;
    }

    /**
     * The longest password that {@link #encode} takes.
     *
     * @return in bytes of UTF-8; 72 for bcrypt without a pepper
     */
    public int maxPasswordBytes() {
        return settings.pepper() == null
                ? Math.min(settings.maxPasswordBytes(), scheme.maxPasswordBytes())
                : settings.maxPasswordBytes();
    }

    /**
     * How new passwords are hashed.
     *
     * @return the algorithm and its costs
     */
    public HashSpec spec() {
        return spec;
    }

    @Override
    public String toString() {
        return "PasswordEncoders[writing " + spec + (settings.pepper() == null ? "" : ", " + settings.pepper()) + "]";
    }
}
