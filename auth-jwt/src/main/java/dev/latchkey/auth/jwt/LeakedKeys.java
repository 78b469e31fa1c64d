package dev.latchkey.auth.jwt;

import dev.latchkey.auth.engine.Sha256;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * Publicly known keys: product defaults, and examples that were copied into services.
 *
 * <p>The keys are stored as SHA-256 digests, so that this file does not extend the public lists. For each secret, the
 * list has the digest of its text. If users decode the secret from Base64 or hex, the list also has the digest of the
 * decoded bytes.
 */
final class LeakedKeys {

    private static final String NACOS = "the default token.secret.key of Nacos (CVE-2021-43116, QVD-2023-6271)";
    private static final String NACOS_MANUAL = "the example token.secret.key of the Nacos manual";
    private static final String JWT_IO = "the example secret of jwt.io";
    private static final String TUTORIAL = "the example secret of a Spring Boot tutorial";

    private static final Map<String, String> ORIGINS = new HashMap<>();

    static {
        known(
                NACOS,
                "c07799c18d8b80eed95367921770430008a217c621fa7b765fed516f08fc7f91",
                "eea2a6eb33aa7f8e9983373d0288664cbd22194429e13744569c176479a2c2b9");
        known(
                NACOS_MANUAL,
                "4de7be2d26fa1e2e608014c657f699698236694b2d6ef11d888828ba3e81f9bf",
                "3cfee76b85db247b3215521ba2e46b7cb44e1a940fcbd2abd9ceea84ad6282c3");
        known(
                JWT_IO,
                "465d9ad5d5528ebe287b5dce4fb51620833d09b290e49ddcc70ca6c4a0aea01b",
                "730d21a80e61a8de82d12cb4c0b8057cff5a30e2dec50ce7a773513374f9164a",
                "db6833593279d7373592ef70e51f3daf048c04475739f8ed024b0821fd9e7fde");
        known(
                TUTORIAL,
                "3354cfcf65c7b2e6840ea6f880aede239750cb1d063950c4e8fd9fbf9ec73a32",
                "b3f6f5d4f9cee4e99fe5db63234b775a205edc23efbbff87acc308626b5fd24a",
                "136cb1c5a79bc9d943efda382fde1bfa26e0e140ff444657cf7fb056e2977b1c",
                "bf0b62edab9c25ed15d8ad7487c3e0a987c279f477c98cc00863147ecb4d9d71",
                "d6cd79bb66e6a2af82af77572428c34db0660a30ce2c376e1681377000a806d0",
                "da1eb416ce10e01039167f89fd8a63142dd7f3e3cffc3ea180eb84d0fa3f407e",
                "262eb06104b33a024bac1b16f6e8eac4da17fb54f07920973d51e4c45cf1bd42",
                "10d6119b73f744ba2191c1ce7ee06627dc9485f65d18e8f2f1b8433bf0356bfd",
                "c1b8372f4390d056d2031312c61cfc164fd8dcf10faf451d94910e2d425cb936",
                "5df73e1aa59d8f332c2f5fd6ea1c37d0f2266b623ea3c4efe6cb3d577fd6a5e1",
                "175b4f1da19dc4965891dfc41867b7b36f99309e98012f66c7f1028e680a3f73",
                "1ed956b932e3dd2780cc0e5f63900d6c07d6594685fa6ac8cc7683e3a5d61235",
                "46fed1daaba94dee9934acbff517c676372f89e7501d7065130dc381b5b7ba0a",
                "4fbbb07c9004432b8cf79663c52e1392662cb79623e1ac56bbf6421be648eeee",
                "ded984cf613967d81be1f27791d4072f065b4c973e8d32e3b23fa462ade409e5");
    }

    private LeakedKeys() {}

    /** The publication of this key; empty if the key is not in the list. */
    static Optional<String> originOf(byte[] key) {
        return Optional.ofNullable(ORIGINS.get(digestOf(key)));
    }

    /** SHA-256 in hex. */
    static String digestOf(byte[] key) {
        return HexFormat.of().formatHex(Sha256.of(key));
    }

    private static void known(String origin, String... digests) {
        for (String digest : digests) {
            ORIGINS.put(digest, origin);
        }
    }
}
