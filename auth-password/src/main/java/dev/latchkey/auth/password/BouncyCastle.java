package dev.latchkey.auth.password;

/** Whether Bouncy Castle is there. It is large, so it is optional; only this package's classes of arithmetic refer to it. */
final class BouncyCastle {

    static final String ARTIFACT = "org.bouncycastle:bcprov-jdk18on";

    private static final boolean PRESENT = isPresentIn(BouncyCastle.class.getClassLoader());

    private BouncyCastle() {}

    static boolean isPresent() {
        return PRESENT;
    }

    /** By its newest part that is used here: an old version without it would fail at the first login. */
    static boolean isPresentIn(ClassLoader loader) {
        try {
            Class.forName("org.bouncycastle.crypto.generators.Argon2BytesGenerator$BlockPool", false, loader);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
