package dev.latchkey.auth.password.hash;

/**
 * Whether Bouncy Castle is present. The library is large and therefore optional. Only the classes with the algorithms
 * refer to Bouncy Castle.
 */
public final class BouncyCastle {

    /** The library, as {@code group:artifact}, for messages. */
    public static final String ARTIFACT = "org.bouncycastle:bcprov-jdk18on";

    private static final boolean PRESENT = isPresentIn(BouncyCastle.class.getClassLoader());

    private BouncyCastle() {}

    /**
     * Whether argon2 and scrypt can be computed.
     *
     * @return whether the class path has a recent enough version; constant during the life of the JVM
     */
    public static boolean isPresent() {
        return PRESENT;
    }

    /** Looks for the newest class in use: an old version without the class would fail at the first login. */
    static boolean isPresentIn(ClassLoader loader) {
        try {
            Class.forName("org.bouncycastle.crypto.generators.Argon2BytesGenerator$BlockPool", false, loader);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
