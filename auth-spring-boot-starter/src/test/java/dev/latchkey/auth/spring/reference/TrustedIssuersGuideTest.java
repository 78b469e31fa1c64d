package dev.latchkey.auth.spring.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.issuer.IssuerServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code how-to/tokens-of-other-issuers.md}, with the keys of an issuer on loopback. */
class TrustedIssuersGuideTest {

    /** Of the answer on the page. */
    private static final String SUBJECT = "7f3c9a1e-0b52-4f6e-9a57-1f2a3b4c5d6e";

    @TempDir
    Path folder;

    @Test
    void settingsOfThePage_acceptTokensOfKeycloak() throws Exception {
        try (Guide guide = Guide.of("how-to/tokens-of-other-issuers.md", folder);
                IssuerServer keycloak = new IssuerServer(0, "https://id.example.com/realms/shop")) {
            Files.writeString(guide.secret("jwt.key"), Services.KEY);
            String[] settings = Stream.of(guide.configuration(0))
                    .map(each -> each.contains(".jwk-set-uri=")
                            ? "latchkey.trusted-issuers.keycloak.jwk-set-uri=" + keycloak.keys()
                            : each)
                    .toArray(String[]::new);
            Services.web()
                    .withUserConfiguration(Services.Accounts.class)
                    .withPropertyValues(settings)
                    .run(context -> guide.shows(Services.mvc(context)
                            .perform(get("/hello").header("Authorization", "Bearer " + keycloak.token(SUBJECT)))
                            .andExpect(status().isOk())
                            .andReturn()
                            .getResponse()
                            .getContentAsString()));
        }
    }

    @Test
    void beanOfThePage_isAnIssuer() throws Exception {
        String pem = "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder()
                        .encodeToString(
                                IssuerServer.rsa(1, "partner").toPublicKey().getEncoded())
                + "\n-----END PUBLIC KEY-----\n";
        Path file = Files.writeString(folder.resolve("partner.pem"), pem);
        try (Guide guide = Guide.of("how-to/tokens-of-other-issuers.md", folder)) {
            Services.web()
                    .withClassLoader(guide.loader())
                    .withUserConfiguration(Services.Accounts.class, guide.type("Partners"))
                    .withPropertyValues("partner.public-key=file:" + file)
                    .run(context -> assertThat(context)
                            .hasNotFailed()
                            .hasBean("partner")
                            .hasBean("latchkeyTrustedIssuers"));
        }
    }
}
