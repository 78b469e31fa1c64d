package dev.latchkey.auth.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Beside another reader, over random inputs. */
class JacksonAgreementTest {

    @Test
    void jackson_agreesOnEveryMutation() {
        Random random = new Random(20261121);
        List<String> seeds = List.of(
                "{\"iss\":\"https://a\",\"sub\":\"b\",\"aud\":[\"c\",\"d\"],\"exp\":1.5e9,\"n\":-0.25E+2,\"t\":true,\"f\":false,\"z\":null}",
                "{\"a\":{\"b\":{\"c\":[1,2,{\"d\":\"\\u00e9\\n\\\\\"}]}},\"e\":\"\u00e9\u20ac\ud83d\ude00\",\"a2\":[[],{}]}",
                " { \"x\" : 10 , \"\\u0078y\" : \"\\ud83d\\ude00\" }\n");
        byte[] alphabet = "{}[]\":,\\ue0123456789+-.Ebfnrtalsx \t\n/'#\0".getBytes(StandardCharsets.US_ASCII);
        int accepted = 0;
        for (int i = 0; i < 60_000; i++) {
            byte[] json = mutated(seeds.get(i % seeds.size()), random, alphabet);
            boolean ours = JsonScannerTest.isAccepted(json);
            JsonNode theirs = StrictJackson.read(json);
            assertThat(ours).as(HexFormat.of().formatHex(json)).isEqualTo(theirs != null);
            if (ours) {
                accepted++;
                StrictJackson.assertSame(JsonReader.objectOf(json, json.length), theirs);
            }
        }
        assertThat(accepted).isBetween(3000, 50_000);
    }

    private static byte[] mutated(String seed, Random random, byte[] alphabet) {
        byte[] json = seed.getBytes(StandardCharsets.UTF_8);
        for (int n = random.nextInt(4); n > 0; n--) {
            int at = random.nextInt(json.length);
            byte[] next;
            switch (random.nextInt(4)) {
                case 0 -> {
                    next = new byte[json.length - 1];
                    System.arraycopy(json, 0, next, 0, at);
                    System.arraycopy(json, at + 1, next, at, next.length - at);
                }
                case 1 -> {
                    next = new byte[json.length + 1];
                    System.arraycopy(json, 0, next, 0, at);
                    next[at] = alphabet[random.nextInt(alphabet.length)];
                    System.arraycopy(json, at, next, at + 1, json.length - at);
                }
                case 2 -> {
                    next = json.clone();
                    next[at] = alphabet[random.nextInt(alphabet.length)];
                }
                default -> {
                    next = json.clone();
                    next[at] = (byte) random.nextInt(256);
                }
            }
            json = next;
        }
        return json;
    }
}
