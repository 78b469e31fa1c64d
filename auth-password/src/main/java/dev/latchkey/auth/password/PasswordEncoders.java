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
 * An encoder for all algorithms: writes new hashes with one algorithm, and reads bcrypt, argon2, scrypt and PBKDF2.
 *
 * <p>New hashes carry an id in braces, like the hashes of Spring's {@code DelegatingPasswordEncoder}. Spring's hashes
 * of these algorithms, PHC strings and bcrypt's {@code $2a$ $2b$ $2y$} are read too. For other systems, pass the
 * formats of the module {@code auth-password-migration} to {@link #reading}. {@link #identify} describes a stored
 * value, and {@link #upgradeEncoding} says whether to replace a stored value.
 *
 * <p><b>{@link #matches} throws no exception because of a password or a row.</b> The answer is {@code false} after the
 * work of a new hash. This rule covers wrong, missing, too long and malformed passwords, unknown users
 * ({@link #matchesNobody}), damaged rows and rows with too high costs. If a row costs less than a new hash, a rejection
 * adds the missing work. Only a row with higher costs takes longer, until its replacement. A match costs only the row's
 * own work. The only exception is {@link dev.latchkey.auth.AuthUnavailableException}, if there is no memory for another
 * hash.
 *
 * <p><b>The log reports unreadable rows.</b> The owner of such a row gets the answer of a wrong password, for each
 * password. Therefore a warning names each reason why a row matches no password. A reason is logged once, for at most ten
 * reasons, and without any part of the row.
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
        this.hashes = new StoredHashes(
                settings.formats(),
                settings.further() == null ? HashInfo.UNREAD : HashInfo.UNRECOGNISED,
                settings.pepper(),
                spec.parameters());
        this.check = new EvenCheck(scheme, hashes, spec.parameters());
    }

    /**
     * Writes argon2id with OWASP's recommended costs, and reads all four algorithms.
     *
     * @return encoders with a quarter of the heap for hashes
     * @throws MissingLibraryException without Bouncy Castle
     * @throws IllegalArgumentException if one hash takes more than a quarter of the heap
     */
    public static PasswordEncoders recommended() {
        return writing(HashSpec.of("argon2id"));
    }

    /**
     * Writes with this spec, and reads all four algorithms.
     *
     * @param spec the algorithm and costs for new hashes
     * @return encoders with a quarter of the heap for hashes
     * @throws MissingLibraryException without Bouncy Castle, because rows of argon2 and scrypt could not be read
     * @throws IllegalArgumentException if one hash takes more than a quarter of the heap
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
     * Writes with this spec, and reads all algorithms except argon2 and scrypt. Rows of argon2 and scrypt match no
     * password.
     *
     * @param spec for new hashes: bcrypt or PBKDF2
     * @return encoders that need no library
     * @throws MissingLibraryException if the spec is argon2id or scrypt
     */
    public static PasswordEncoders writingWithoutBouncyCastle(HashSpec spec) {
        if (spec.scheme(MemoryPermits.quarterOfHeap()).memoryBytes() > 0) {
            throw new MissingLibraryException(spec.toString(), BouncyCastle.ARTIFACT, "choose bcrypt or pbkdf2-sha256");
        }
        return new PasswordEncoders(spec, EncoderSettings.of(Library.JDK_ALONE, MemoryPermits.quarterOfHeap()));
    }

    /**
     * Describes stored values without hashing. The function needs neither a library nor memory.
     *
     * @param written the algorithm and costs for new hashes
     * @param formats the additional formats
     * @return answers like {@link #identify}; safe for use by any number of threads
     */
    public static Function<String, HashInfo> identifier(HashSpec written, FurtherFormats formats) {
        return identifyingOnly(written).reading(formats)::identify;
    }

    /**
     * Encoders only for {@link #identify}, which needs neither a library nor memory. The costs of a row are compared
     * with the ceilings of the formats, not with this JVM's heap.
     */
    static PasswordEncoders identifyingOnly(HashSpec written) {
        return new PasswordEncoders(
                written, EncoderSettings.of(Library.BOUNCY_CASTLE, MemoryPermits.ofBytes(Long.MAX_VALUE)));
    }

    /**
     * Returns a copy that writes with this spec. {@link HashSpec#of} reads a spec from configuration.
     *
     * @param spec the algorithm and costs for new hashes
     * @return a changed copy
     * @throws MissingLibraryException if these encoders work without Bouncy Castle and the spec is argon2id or scrypt
     * @throws IllegalArgumentException if one hash takes more memory than the permits allow
     */
    public PasswordEncoders withDefault(HashSpec spec) {
        return settings.library() == Library.BOUNCY_CASTLE
                ? new PasswordEncoders(spec, settings)
                : writingWithoutBouncyCastle(spec).with(settings);
    }

    /**
     * Returns a copy with a pepper: keys outside the database. Rows without a pepper still match. If a key is used for
     * new hashes, these rows are reported for an upgrade.
     *
     * @param pepper the keys
     * @return a changed copy
     */
    public PasswordEncoders withPepper(Pepper pepper) {
        return with(settings.with(pepper));
    }

    /**
     * Returns a copy that takes the memory for argon2 and scrypt from these permits.
     *
     * @param permits shared by all encoders with the same heap
     * @return a changed copy
     * @throws IllegalArgumentException if one new hash takes more memory than the permits allow
     */
    public PasswordEncoders withMemoryPermits(MemoryPermits permits) {
        return with(settings.with(permits));
    }

    /**
     * Returns a copy with another limit on passwords. A longer password is rejected by {@link #encode} and matches
     * nothing.
     *
     * @param bytes of UTF-8, 64 to 4096; 1024 by default
     * @return a changed copy
     * @throws IllegalArgumentException if the value is outside the range
     */
    public PasswordEncoders withMaxPasswordBytes(int bytes) {
        return with(settings.withMaxPasswordBytes(bytes));
    }

    /**
     * Returns a copy that also reads these formats, instead of earlier additional formats. New hashes never use these
     * formats.
     *
     * @param formats such as {@code ForeignFormats.all()} of {@code auth-password-migration}
     * @return a changed copy
     */
    public PasswordEncoders reading(FurtherFormats formats) {
        return with(settings.reading(formats));
    }

    /**
     * Returns a copy that hashes passwords in one normal form of Unicode: all spaces as U+0020, and NFC, as in RFC
     * 8265's OpaqueString. Without this method, the received bytes are the password. Another operating system may send
     * other bytes for the same text: "é" is one code point or two.
     *
     * <p>Existing passwords keep working. If the normal form does not match and differs from the received text, the
     * received text is tried too. A wrong password of this kind costs two checks, for known and unknown users and for
     * every stored form. The time of a success reveals the stored form, but only to a caller with the password. A
     * sender can therefore double the work of a request, as with a second request. Rate limits on logins and limits on
     * hashes bound this work.
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
     * Computes a new hash of this password, with its id.
     *
     * @param rawPassword the chosen password; not kept
     * @return at most 200 ASCII characters, different each time
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

    /** All formats for reading. */
    HashFormat formats() {
        return settings.formats();
    }

    /** The password in the form for {@link #encode}; the caller closes the object. */
    PresentedPassword presented(@Nullable CharSequence rawPassword) {
        return PresentedPassword.of(settings.prepared(rawPassword), maxPasswordBytes());
    }

    /**
     * Whether the stored hash belongs to this password.
     *
     * @param rawPassword the presented password; not kept
     * @param encodedPassword the stored value, of any content; null if there is no row
     * @return false without a match, for any reason in the description of this class
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
     * For an unknown user: takes the work of a wrong password.
     *
     * @param rawPassword the presented password
     * @return false
     * @throws dev.latchkey.auth.AuthUnavailableException if there is no memory for another hash
     */
    public boolean matchesNobody(@Nullable CharSequence rawPassword) {
        return matches(rawPassword, null);
    }

    /**
     * Whether to replace a hash after a match, because the hash is weaker than a new one or has another form.
     *
     * @param encodedPassword the stored value
     * @return false also for a value that matches no password, because a replacement needs the password
     */
    @Override
    public boolean upgradeEncoding(@Nullable String encodedPassword) {
        return identify(encodedPassword).shouldUpgrade();
    }

    /**
     * Describes a stored value. Computes no hash, whatever costs the value has.
     *
     * @param encodedPassword the stored value
     * @return {@link HashInfo.Standing#UNKNOWN} for null and for texts without a known format
     */
    public HashInfo identify(@Nullable String encodedPassword) {
        return hashes.identify(encodedPassword);
    }

    /**
     * The longest password for {@link #encode}.
     *
     * @return in bytes of UTF-8; at most 72 for bcrypt without a pepper
     */
    public int maxPasswordBytes() {
        return hashes.prefix().isEmpty()
                ? Math.min(settings.maxPasswordBytes(), scheme.maxPasswordBytes())
                : settings.maxPasswordBytes();
    }

    /**
     * The algorithm and costs for new hashes.
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
