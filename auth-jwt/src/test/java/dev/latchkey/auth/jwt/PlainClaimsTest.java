package dev.latchkey.auth.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The quick reader of claims never says more than the strict one. */
class PlainClaimsTest {

    private static final String SEVEN = "{\"iss\":\"https://login.example.com\",\"sub\":\"alice\",\"aud\":\"api\","
            + "\"iat\":1764000000,\"nbf\":1,\"exp\":99999999999,\"jti\":\"\"}";

    @ParameterizedTest
    @ValueSource(strings = {SEVEN, "{\"exp\":1}", "{\"sub\":\"\"}", "{\"sub\":\"a\",\"iat\":10,\"exp\":20}"})
    void plainRegisteredClaims_areFoundWhereTheStrictReaderFindsThem(String json) {
        RegisteredClaims quick = new RegisteredClaims();
        assertThat(PlainClaims.read(bytes(json), json.length(), quick)).isTrue();
        assertThat(spans(quick)).isEqualTo(strictSpans(bytes(json), json.length()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "{\"sub\":\"a\"",
                "{\"sub\":\"a\"}}",
                "{\"sub\":\"a\"} ",
                "{\"sub\":\"a\",}",
                "[\"sub\":\"a\"}",
                "{\"sub\": \"a\"}",
                "{\"sub\":\"a\\n\"}",
                "{\"sub\":\"\u00e9\"}",
                "{\"sub\":\"a\tb\"}",
                "{\"sub\":\"a\",\"sub\":\"a\"}",
                "{\"exp\":1,\"iat\":2,\"exp\":1}",
                "{\"sub\":1}",
                "{\"exp\":\"1\"}",
                "{\"exp\":01}",
                "{\"exp\":0}",
                "{\"exp\":-1}",
                "{\"exp\":1.5}",
                "{\"exp\":1e3}",
                "{\"exp\":}",
                "{\"exp\":100000000000}",
                "{\"exp\":1764000000",
                "{\"exp\":null}",
                "{\"aud\":[\"a\"]}",
                "{\"own\":\"a\"}",
                "{\"name\":\"alice\"}",
                "{\"sub\":\"a\";\"exp\":1}"
            })
    void claimsThatAreNotPlain_areLeftToTheStrictReader(String json) {
        assertThat(PlainClaims.read(bytes(json), bytes(json).length, new RegisteredClaims()))
                .isFalse();
    }

    @Test
    void quicklyAcceptedClaims_areAcceptedByTheStrictReaderAlike() {
        Random random = new Random(7);
        byte[] letters = bytes("\"{}:,0123456789 expsubiatjti\\-.[]");
        int accepted = 0;
        for (int round = 0; round < 200_000; round++) {
            byte[] json = bytes(round % 2 == 0 ? SEVEN : "{\"sub\":\"a\",\"iat\":10,\"exp\":20}");
            for (int change = random.nextInt(3); change >= 0; change--) {
                json[random.nextInt(json.length)] = letters[random.nextInt(letters.length)];
            }
            int end = random.nextInt(20) == 0 ? random.nextInt(json.length) : json.length;
            RegisteredClaims quick = new RegisteredClaims();
            if (PlainClaims.read(json, end, quick)) {
                accepted++;
                assertThat(spans(quick)).isEqualTo(strictSpans(json, end));
            }
        }
        assertThat(accepted).isGreaterThan(10_000);
    }

    private static int[] strictSpans(byte[] json, int end) {
        JsonScanner scanner = new JsonScanner();
        RegisteredClaims claims = new RegisteredClaims();
        byte[] exact = Arrays.copyOf(json, end);
        int members = scanner.scan(exact, end);
        assertThat(members).as(new String(exact, StandardCharsets.UTF_8)).isPositive();
        assertThat(claims.read(exact, scanner, members)).isNull();
        return spans(claims);
    }

    private static int[] spans(RegisteredClaims claims) {
        return new int[] {
            claims.issuer,
            claims.subject,
            claims.audience,
            claims.expiresAt,
            claims.notBefore,
            claims.issuedAt,
            claims.id
        };
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
