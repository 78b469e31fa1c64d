package dev.latchkey.auth.client.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Secret;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Test;

/** A form with secrets, as RFC 3986 encodes bytes. */
class FormBodyTest {

    private static final String UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

    private static String encoded(byte... plain) {
        Secret secret = Secret.of(plain);
        ByteBuffer to = ByteBuffer.allocate(FormBody.roomFor(secret));
        FormBody.encode(secret, to);
        return new String(to.array(), 0, to.position(), StandardCharsets.US_ASCII);
    }

    @Test
    void eachByte_isItself_orThreeCharacters() {
        for (int i = 0; i < 256; i++) {
            String itself = i < 128 && UNRESERVED.indexOf(i) >= 0 ? Character.toString(i) : "%%%02X".formatted(i);
            assertThat(encoded((byte) i)).isEqualTo(itself);
        }
    }

    @Test
    void roomForASecret_isEnoughForEachByte() {
        assertThat(encoded((byte) '&', (byte) '=', (byte) ' ', (byte) -1)).isEqualTo("%26%3D%20%FF");
    }

    @Test
    void fields_areInTheOrderOfTheMap_withTheirNames() throws Exception {
        Map<String, Secret> fields = new LinkedHashMap<>();
        fields.put("username", Secret.of("ä"));
        fields.put("empty", Secret.of(""));
        fields.put("password", Secret.of("a&b=c"));
        try (FormBody body = FormBody.of(fields)) {
            assertThat(new String(sent(body), StandardCharsets.US_ASCII))
                    .isEqualTo("username=%C3%A4&empty=&password=a%26b%3Dc");
        }
        try (FormBody none = FormBody.of(Map.of())) {
            assertThat(sent(none)).isEmpty();
        }
    }

    @Test
    void closedBody_holdsNoSecret() throws Exception {
        FormBody body = FormBody.of(Map.of("password", Secret.of("secret")));
        body.close();
        assertThat(sent(body)).containsOnly(0);
    }

    private static byte[] sent(FormBody body) throws Exception {
        BodySubscriber<byte[]> received = BodySubscribers.ofByteArray();
        body.publisher().subscribe(new Flow.Subscriber<>() {
            @Override
            public void onSubscribe(Flow.Subscription subscription) {
                received.onSubscribe(subscription);
            }

            @Override
            public void onNext(ByteBuffer piece) {
                received.onNext(List.of(piece));
            }

            @Override
            public void onError(Throwable failure) {
                received.onError(failure);
            }

            @Override
            public void onComplete() {
                received.onComplete();
            }
        });
        return received.getBody().toCompletableFuture().get();
    }
}
