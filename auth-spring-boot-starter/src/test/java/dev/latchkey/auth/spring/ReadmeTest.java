package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.test.web.servlet.MockMvc;

/** The first snippet of the README, compiled as it stands and run as a service's configuration, and the profiles of its commands. */
class ReadmeTest {

    private static final Pattern JAVA_SNIPPET = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

    private static final Pattern PROFILE = Pattern.compile("mvnw(?: -D\\S+)* -P([\\w.-]+)");
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

    @TempDir
    Path folder;

    @Test
    void firstSnippet_isAServiceThatWorks() throws Exception {
        try (URLClassLoader loader = compiled("ApiSecurity", firstSnippet())) {
            Class<?> configuration = loader.loadClass("ApiSecurity");
            Services.web()
                    .withClassLoader(loader)
                    .withUserConfiguration(Services.Accounts.class, configuration)
                    .withPropertyValues("latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true")
                    .run(context -> {
                        MockMvc mvc = Services.mvc(context);
                        mvc.perform(get("/hello")).andExpect(status().isUnauthorized());
                        mvc.perform(get("/hello").with(httpBasic("alice", Services.PASSWORD)))
                                .andExpect(status().isOk());
                        String token = Services.tokenFrom(mvc.perform(post("/auth/token")
                                .contentType("application/json")
                                .content(Services.LOGIN)));
                        mvc.perform(get("/hello").header("Authorization", "Bearer " + token))
                                .andExpect(status().isOk());
                    });
        }
    }

    /** Maven only warns of a profile that it does not know, and then builds everything. */
    @ParameterizedTest
    @ValueSource(strings = {"README.md", "CONTRIBUTING.md"})
    void profilesThatCommandsName_areThere(String document) throws Exception {
        String root = Files.readString(Path.of("..", "pom.xml"));
        StringBuilder poms = new StringBuilder(root);
        for (MatchResult module : MODULE.matcher(root).results().toList()) {
            poms.append(Files.readString(Path.of("..", module.group(1), "pom.xml")));
        }
        List<String> named = PROFILE.matcher(Files.readString(Path.of("..", document)))
                .results()
                .map(command -> command.group(1))
                .toList();
        assertThat(named).isNotEmpty().allSatisfy(profile -> assertThat(poms).contains("<id>" + profile + "</id>"));
    }

    private static String firstSnippet() throws IOException {
        Matcher snippet = JAVA_SNIPPET.matcher(Files.readString(Path.of("..", "README.md")));
        assertThat(snippet.find()).isTrue();
        return snippet.group(1);
    }

    private URLClassLoader compiled(String className, String source) throws IOException {
        Path file = Files.writeString(folder.resolve(className + ".java"), source);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        boolean done = compiler.getTask(
                        messages,
                        null,
                        null,
                        List.of("-d", folder.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none"),
                        null,
                        compiler.getStandardFileManager(null, null, null).getJavaFileObjects(file))
                .call();
        assertThat(done).as(messages.toString()).isTrue();
        return new URLClassLoader(new URL[] {folder.toUri().toURL()}, getClass().getClassLoader());
    }
}
