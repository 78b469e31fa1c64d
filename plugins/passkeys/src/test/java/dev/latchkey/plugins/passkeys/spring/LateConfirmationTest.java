package dev.latchkey.plugins.passkeys.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Secret;
import dev.latchkey.plugins.passkeys.Authenticator;
import dev.latchkey.plugins.passkeys.spring.Client.Reply;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.ApplicationContext;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/** A thief with a token and the password begins, the owner changes the account, and the thief confirms. On both stacks. */
@Tag("long")
class LateConfirmationTest {

    private static final String PROOF = "{\"password\":\"" + Services.PASSWORD + "\"}";

    private static Reply begin(Client client, String path, String token) {
        Reply begun = client.send("POST", path, token, PROOF);
        assertThat(begun.status()).as(begun.body()).isEqualTo(200);
        return begun;
    }

    private static int confirmPasskey(Client client, String token, Reply begun) {
        Map<String, Secret> made = new Authenticator().register(begun.member("challenge"), begun.member("user_id"));
        return client.send("POST", "/auth/passkeys/confirm", token, Client.json(Map.of("name", "phone"), made))
                .status();
    }

    private static int confirmCodes(Client client, String token, Reply begun) {
        Secret code = CodeApp.code(Secret.of(begun.member("secret")));
        return client.send("POST", "/auth/codes/confirm", token, Client.json(Map.of(), Map.of("code", code)))
                .status();
    }

    private static void changePassword(ApplicationContext context) {
        String hash = context.getBean(PasswordEncoder.class).encode("another-battery-staple");
        UserDetails ada =
                User.withUsername("ada").password(hash).authorities("ROLE_USER").build();
        context.getBeanProvider(InMemoryUserDetailsManager.class).ifAvailable(all -> all.updatePassword(ada, hash));
        context.getBeanProvider(MapReactiveUserDetailsService.class)
                .ifAvailable(all -> all.updatePassword(ada, hash).block());
    }

    @ParameterizedTest
    @EnumSource
    void passwordThatChangesMeanwhile_endsBothRegistrations(Stack stack) {
        stack.run((client, context) -> {
            String token = client.login("ada").member("access_token");
            Reply passkey = begin(client, "/auth/passkeys", token);
            Reply codes = begin(client, "/auth/codes", token);
            changePassword(context);
            assertThat(Stream.of(confirmPasskey(client, token, passkey), confirmCodes(client, token, codes)))
                    .containsExactly(403, 403);
        });
    }

    @ParameterizedTest
    @EnumSource
    void codesThatAreEnrolledMeanwhile_endTheRegistrationOfAPasskey(Stack stack) {
        stack.run((client, context) -> {
            String token = client.login("ada").member("access_token");
            Reply passkey = begin(client, "/auth/passkeys", token);
            assertThat(confirmCodes(client, token, begin(client, "/auth/codes", token)))
                    .isEqualTo(200);
            assertThat(confirmPasskey(client, token, passkey)).isEqualTo(403);
        });
    }

    @ParameterizedTest
    @EnumSource
    void passkeyThatIsRegisteredMeanwhile_endsTheEnrolmentOfCodes(Stack stack) {
        stack.run((client, context) -> {
            String token = client.login("ada").member("access_token");
            Reply codes = begin(client, "/auth/codes", token);
            assertThat(confirmPasskey(client, token, begin(client, "/auth/passkeys", token)))
                    .isEqualTo(200);
            assertThat(confirmCodes(client, token, codes)).isEqualTo(403);
        });
    }
}
