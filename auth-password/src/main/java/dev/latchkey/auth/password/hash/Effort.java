package dev.latchkey.auth.password.hash;

/**
 * About how long one check of a stored hash takes. With that, a refusal which was too quick can take its time, and no hash is replaced by a cheaper
 * one.
 *
 * <p>In nanoseconds of one core on which argon2id with 19 MiB and two passes takes 20 ms. Only the ratios matter. Between hashes of one algorithm
 * they are exact, as each algorithm's time is in proportion to its costs. Between two algorithms they depend on the processor: bcrypt and PBKDF2 wait
 * for its arithmetic, argon2 and scrypt for its memory.
 */
final class Effort {

    /** Half a second: the most that the length of a password may cost, where each round hashes the password anew. */
    static final double LONGEST_CHECK_OF_A_LONG_PASSWORD = 500_000_000;

    private static final double PLAIN_DIGEST = 1_000;
    private static final double MD5_CRYPT = 200_000;
    private static final double SPRING_SHA256 = 65_000;
    private static final double PHPASS_ROUND = 100;
    private static final double DRUPAL_ROUND = 200;
    private static final double SHA1_CRYPT_ROUND = 290;
    private static final double FSHP_SHA1_ROUND = 65;
    private static final double FSHP_SHA256_ROUND = 80;
    private static final double FSHP_SHA512_ROUND = 200;
    private static final double SHA256_CRYPT_ROUND = 115;
    private static final double SHA512_CRYPT_ROUND = 200;
    private static final double BCRYPT_STEP = 49_000;
    private static final double SHA1_ITERATION = 130;
    private static final double SHA256_ITERATION = 135;
    private static final double SHA512_ITERATION = 340;
    private static final double ARGON2_KIB = 530;
    private static final double SCRYPT_BLOCK = 240;

    private Effort() {}

    /** The time of a guess at the row, in times of a guess at the whole; more than 1 for a dearer row. */
    static double share(Parameters row, Parameters whole) {
        return nanos(row) / nanos(whole);
    }

    /** The memory that a guess takes, in units of its algorithm; 0 where it is next to nothing. */
    static double memory(Parameters hash) {
        return switch (hash.algorithm()) {
            case "argon2id", "argon2i", "argon2d" -> hash.cost("m");
            case "scrypt" -> Math.scalb((double) hash.cost("r"), hash.cost("ln"));
            default -> 0;
        };
    }

    /** Whether it is a digest that was made to be fast, once or a few times: nothing that takes a guesser's time. */
    static boolean isFast(Parameters hash) {
        return nanos(hash) <= 10 * PLAIN_DIGEST;
    }

    /** The time for a password of usual length and one block of a derived key; {@link Growth} has the rest. */
    static double nanos(Parameters hash) {
        return switch (hash.algorithm()) {
            case "argon2id", "argon2i", "argon2d" -> ARGON2_KIB * hash.cost("m") * hash.cost("t");
            case "scrypt", "firebase-scrypt" ->
                Math.scalb(SCRYPT_BLOCK * hash.cost("r") * hash.cost("p"), hash.cost("ln"));
            case "bcrypt", "django-bcrypt-sha256", "passlib-bcrypt-sha256", "wordpress-bcrypt" ->
                Math.scalb(BCRYPT_STEP, hash.cost("cost"));
            case "pbkdf2-sha1", "scram-sha1" -> SHA1_ITERATION * hash.cost("i");
            case "pbkdf2-sha256", "scram-sha256" -> SHA256_ITERATION * hash.cost("i");
            case "pbkdf2-sha512", "scram-sha512" -> SHA512_ITERATION * hash.cost("i");
            case "sha256-crypt" -> SHA256_CRYPT_ROUND * hash.cost("rounds");
            case "sha512-crypt" -> SHA512_CRYPT_ROUND * hash.cost("rounds");
            case "sha1-crypt" -> SHA1_CRYPT_ROUND * hash.cost("rounds");
            case "fshp-sha1" -> FSHP_SHA1_ROUND * hash.cost("rounds");
            case "fshp-sha256" -> FSHP_SHA256_ROUND * hash.cost("rounds");
            case "fshp-sha384", "fshp-sha512" -> FSHP_SHA512_ROUND * hash.cost("rounds");
            case "drupal7", "drupal7-md5" -> Math.scalb(DRUPAL_ROUND, hash.cost("log2rounds"));
            case "phpass" -> Math.scalb(PHPASS_ROUND, hash.cost("log2rounds"));
            case "md5-crypt", "apr1" -> MD5_CRYPT;
            case "sha256-1024" -> SPRING_SHA256;
            default -> PLAIN_DIGEST;
        };
    }
}
