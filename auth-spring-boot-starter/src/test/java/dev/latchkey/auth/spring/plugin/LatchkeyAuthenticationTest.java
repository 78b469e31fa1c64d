package dev.latchkey.auth.spring.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextImpl;

/** A session store writes authentications with Java serialization and reads them again. */
class LatchkeyAuthenticationTest {

    private static final Subject ALICE = Subject.of("alice").withAuthorities("ROLE_USER", "SCOPE_read");

    @Test
    void authenticationInASession_isTheSameAfterwards() throws Exception {
        LatchkeyAuthentication before = new LatchkeyAuthentication(ALICE);
        before.setDetails("details");
        SecurityContext session = (SecurityContext) roundTrip(new SecurityContextImpl(before));
        LatchkeyAuthentication after = (LatchkeyAuthentication) session.getAuthentication();
        assertThat(after).isEqualTo(before).hasSameHashCodeAs(before);
        assertThat(after.getName()).isEqualTo("alice");
        assertThat(after.getPrincipal()).isEqualTo(ALICE);
        assertThat(after.getAuthorities()).hasToString(before.getAuthorities().toString());
        assertThat(after.isAuthenticated()).isTrue();
        assertThat(after.getDetails()).isEqualTo("details");
    }

    /** Without the plugin, tokens for this session could be of an account of the same name in another plugin. */
    @Test
    void loginInASession_keepsItsPlugin_andNoStamp() throws Exception {
        LatchkeyAuthentication before = new LatchkeyAuthentication(
                Authenticated.as(ALICE).withStamp(Secret.of("a stamp")).decidedBy("directory"));
        LatchkeyAuthentication after = (LatchkeyAuthentication) roundTrip(before);
        assertThat(after.plugin()).contains("directory");
        assertThat(after.stamp()).isEmpty();
    }

    @Test
    void loginWithoutAStamp_namesNoPlugin() {
        assertThat(new LatchkeyAuthentication(Authenticated.as(ALICE).decidedBy("directory")).plugin())
                .isEmpty();
    }

    @Test
    void principalAlone_isTheSameAfterwards() throws Exception {
        assertThat(roundTrip(ALICE)).isEqualTo(ALICE);
        assertThat(roundTrip(Subject.of("alice"))).isEqualTo(Subject.of("alice"));
    }

    @Test
    void authenticationThatWasStoredWithoutItsSubject_isNobody() throws Exception {
        SecurityContext session = (SecurityContext)
                read(renamed(written(new SecurityContextImpl(new StoredEarlier())), StoredEarlier.class));
        assertThat(session.getAuthentication()).isNull();
        assertThat(session.toString()).isNotNull();
    }

    @Test
    void principalThatWasStoredWithoutItsFields_isNoSubject() {
        assertThatThrownBy(() -> read(renamed(written(new WithoutFields()), WithoutFields.class)))
                .isInstanceOf(InvalidObjectException.class);
    }

    private static Object roundTrip(Object value) throws IOException, ClassNotFoundException {
        return read(written(value));
    }

    private static byte[] written(Object value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        }
        return bytes.toByteArray();
    }

    private static Object read(byte[] bytes) throws IOException, ClassNotFoundException {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return in.readObject();
        }
    }

    /** The bytes of a class of this test, under the name of its twin. */
    private static byte[] renamed(byte[] bytes, Class<?> twin) {
        String name = twin.getName();
        String of = name.equals(WithoutFields.class.getName())
                ? Subject.class.getName()
                : LatchkeyAuthentication.class.getName();
        // A class's name stands behind its length, so both have to be replaced.
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        String replaced =
                text.replace((char) 0 + "" + (char) name.length() + name, (char) 0 + "" + (char) of.length() + of);
        assertThat(replaced).isNotEqualTo(text);
        return replaced.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** As it was written before it had a subject. */
    private static final class StoredEarlier extends AbstractAuthenticationToken {

        private static final long serialVersionUID = 1L;

        StoredEarlier() {
            super(AuthorityUtils.createAuthorityList("ROLE_USER"));
            setAuthenticated(true);
        }

        @Override
        public Object getCredentials() {
            return "";
        }

        @Override
        public Object getPrincipal() {
            return "";
        }
    }

    /** Without its components. */
    private record WithoutFields() implements Serializable {}
}
