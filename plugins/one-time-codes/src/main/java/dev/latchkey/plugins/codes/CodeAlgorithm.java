package dev.latchkey.plugins.codes;

/** The hash algorithm for codes (RFC 6238 section 1.2). */
public enum CodeAlgorithm {
    /** Supported by every authenticator app. HMAC with SHA-1 is safe: the known attacks on SHA-1 find collisions. */
    SHA1("HmacSHA1"),
    /** For apps with support for {@code algorithm}. Many apps ignore the parameter and use SHA-1. */
    SHA256("HmacSHA256"),
    /** See {@link #SHA256}. */
    SHA512("HmacSHA512");

    private final String mac;

    CodeAlgorithm(String mac) {
        this.mac = mac;
    }

    String mac() {
        return mac;
    }
}
