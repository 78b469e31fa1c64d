import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/**
 * A service with HTTP Basic that starts, says when it was ready and what it holds, and ends. It knows nothing of Latchkey: the
 * class path decides.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class StartupService {

    public static void main(String[] args) throws IOException {
        var service = SpringApplication.run(StartupService.class, args);
        long ready = System.currentTimeMillis();
        long processorMillis =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime() / 1_000_000;
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        // Twice: what the first collection finds unreachable may hold what only the second one frees.
        memory.gc();
        memory.gc();
        System.out.println("STARTED " + ready + " " + processorMillis + " "
                + memory.getHeapMemoryUsage().getUsed() / 1024 + " "
                + memory.getNonHeapMemoryUsage().getUsed() / 1024 + " " + residentKilobytes());
        service.close();
    }

    private static long residentKilobytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElse(0);
    }

    @Bean
    SecurityFilterChain api(HttpSecurity http) throws Exception {
        return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .httpBasic(Customizer.withDefaults())
                .build();
    }

    @Bean
    PasswordEncoder encoder() {
        return new BCryptPasswordEncoder();
    }

    @Bean
    UserDetailsService users() {
        return new InMemoryUserDetailsManager(User.withUsername("alice")
                .password("$2a$10$abcdefghijklmnopqrstuuK1mQ5m6xVQ8u3cV5o0Y1b9o8a7s6d5e")
                .build());
    }
}
