package dev.latchkey.plugins.permissions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Subject;
import dev.latchkey.auth.permission.Access;
import dev.latchkey.auth.permission.Permission;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.PropertiesPropertySource;
import org.springframework.core.io.ByteArrayResource;

/** The README's policy grants exactly the requests of its rules. */
class ReadmeTest {

    private static final Pattern POLICY = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
    private static final Pattern RULE = Pattern.compile("\\.permission\\(\"([^\"]+)\", \"([^\"]+)\"\\)");

    private static String page = "";

    @BeforeAll
    static void read() throws IOException {
        page = Files.readString(Path.of("README.md"));
    }

    @Test
    void ruleOfTheChain_isGrantedToWhomThePolicyNames_andToNobodyElse() {
        MatchResult rule = first(RULE);
        String resource = rule.group(1).replace("{ns}", "acme").replace("{name}", "app-1.yml");
        assertThat(asked("ada", resource, rule.group(2))).isEqualTo(Access.GRANTED);
        assertThat(asked("bob", resource, rule.group(2))).isEqualTo(Access.DENIED);
    }

    @Test
    void policy_grantsWhatItSays() {
        assertThat(asked("ada", "user:ada:profile", "r")).isEqualTo(Access.GRANTED);
        assertThat(asked("ada", "user:bob:profile", "r")).isEqualTo(Access.DENIED);
        assertThat(asked("ada", "ns:public:anything", "r")).isEqualTo(Access.GRANTED);
        assertThat(asked("ada", "ns:public:anything", "w")).isEqualTo(Access.DENIED);
    }

    private static Access asked(String subject, String resource, String action) {
        Access[] answer = new Access[1];
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LatchkeyPermissionsAutoConfiguration.class))
                .withInitializer(service -> service.getEnvironment()
                        .getPropertySources()
                        .addFirst(new PropertiesPropertySource("page", policy())))
                .run(service -> answer[0] = service.getBean(PermissionsPlugin.class)
                        .authorize(Subject.of(subject), new Permission(resource, action)));
        return answer[0];
    }

    private static Properties policy() {
        YamlPropertiesFactoryBean yaml = new YamlPropertiesFactoryBean();
        yaml.setResources(new ByteArrayResource(first(POLICY).group(1).getBytes(StandardCharsets.UTF_8)));
        Properties properties = yaml.getObject();
        assertThat(properties).isNotEmpty();
        return properties;
    }

    private static MatchResult first(Pattern pattern) {
        return pattern.matcher(page).results().findFirst().orElseThrow();
    }
}
