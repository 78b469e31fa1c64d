package dev.latchkey.auth.password.hash;

/** Whether Bouncy Castle is there. It is large, so it is optional, and only classes of arithmetic refer to it. */
public final class BouncyCastle {

    /** The library, as {@code group:artifact}, for messages. */
    public static final String ARTIFACT = "org.bouncycastle:bcprov-jdk18on";

    private static final boolean PRESENT = isPresentIn(BouncyCastle.class.getClassLoader());

    private BouncyCastle() {}

    /**
     * Whether argon2 and scrypt can be computed.
     *
     * @return whether the class path has a version that is new enough; the same as long as the JVM runs
     */
    public static boolean isPresent() {
        return PRESENT;
    }

    /** Looks for the newest part that is used here: an old version without it would fail at the first login. */
    static boolean isPresentIn(ClassLoader loader) {
        try {
            Class.forName("org.bouncycastle.crypto.generators.Argon2BytesGenerator$BlockPool", false, loader);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
