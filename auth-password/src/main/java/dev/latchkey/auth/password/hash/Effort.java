package dev.latchkey.auth.password.hash;

/**
 * The estimated time of one check of a stored hash. The estimate extends quick rejections, and prevents a replacement
 * by a cheaper hash.
 *
 * <p>The unit is nanoseconds of one core that computes argon2id with 19 MiB and two passes in 20 ms. Only the ratios
 * matter. Within one algorithm the ratios are exact, because the time is proportional to the costs. Between two
 * algorithms the ratios depend on the processor. Arithmetic limits bcrypt and PBKDF2, and memory limits argon2 and
 * scrypt.
 */
final class Effort {

    /** Half a second: the longest check of a long password, if each round hashes the password again. */
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

    /** The time of a check of the row, relative to the other hash; more than 1 if the row costs more. */
    static double share(Parameters row, Parameters whole) {
        return nanos(row) / nanos(whole);
    }

    /** The memory of a guess; 0 if negligible. Comparable only within one algorithm. */
    static double memory(Parameters hash) {
        return switch (hash.algorithm()) {
            case "argon2id", "argon2i", "argon2d" -> hash.cost("m");
            case "scrypt" -> Math.scalb((double) hash.cost("r"), hash.cost("ln"));
            default -> 0;
        };
    }

    /** Whether the hash is a fast digest, applied once or a few times: guesses cost almost no time. */
    static boolean isFast(Parameters hash) {
        return nanos(hash) <= 10 * PLAIN_DIGEST;
    }

    /** The time for a password of usual length and one block of a derived key; {@link Growth} adds the rest. */
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
